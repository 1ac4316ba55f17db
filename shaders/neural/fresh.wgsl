// The weights of a fresh network: document 001's seed pass.
// uses: hash

// The spread of parameter `i`: Xavier-like for each layer, 0 for biases and padding.
fn spread(i: u32) -> f32 {
  if (i < 24u) { return 0.65; }                 // W1
  if (i >= 36u && i < 180u) { return 0.5; }     // W2
  if (i >= 192u && i < 204u) { return 0.68; }   // W3
  return 0.0;
}

fn fresh_weight(i: u32, key_base: u32) -> f32 {
  return (rand_unit(key_base + i + 1u) * 2.0 - 1.0) * spread(i);
}

// Row `row` of four weights, each in [-spread, spread].
fn fresh_weight4(row: u32, key_base: u32) -> vec4f {
  let i = 4u * row;
  return vec4f(fresh_weight(i, key_base), fresh_weight(i + 1u, key_base),
               fresh_weight(i + 2u, key_base), fresh_weight(i + 3u, key_base));
}

// Row `row` of a network that a restart publishes: it counts the epochs that it throws away.
fn restarted4(row: u32, key_base: u32, epochs: u32) -> vec4f {
  let count = select(0.0, f32(epochs), row == PARAMETER_ROWS - 1u);
  return fresh_weight4(row, key_base) + vec4f(0.0, count, 0.0, 0.0);
}
