// The 2-12-12-1 network with tanh for one point. Its parameters are rows of four floats, and a
// kernel that uses this library gives them:  fn weight4(row: u32) -> vec4f
//   W1 (12, 2) rows 0-5 · b1 (12) rows 6-8 · W2 (12, 12) rows 9-44, three to a neuron
//   b2 (12) rows 45-47 · W3 (12) rows 48-50 · b3 and the epoch count in row 51
// uses: activation
const B1 = 6u;
const W2 = 9u;
const B2 = 45u;
const W3 = 48u;
const B3 = 51u;

// The twelve activations of a hidden layer.
struct Hidden { a: vec4f, b: vec4f, c: vec4f }

fn first_four(quad: u32, point: vec2f) -> vec4f {
  let left = weight4(2u * quad);
  let right = weight4(2u * quad + 1u);
  return squash(vec4f(left.xz, right.xz) * point.x + vec4f(left.yw, right.yw) * point.y
                + weight4(B1 + quad));
}

fn first_layer(point: vec2f) -> Hidden {
  return Hidden(first_four(0u, point), first_four(1u, point), first_four(2u, point));
}

fn dot_row(row: u32, h: Hidden) -> f32 {
  return dot(weight4(row), h.a) + dot(weight4(row + 1u), h.b) + dot(weight4(row + 2u), h.c);
}

fn second_four(quad: u32, h1: Hidden) -> vec4f {
  let row = W2 + 12u * quad;
  return squash(weight4(B2 + quad) + vec4f(dot_row(row, h1), dot_row(row + 3u, h1),
                                           dot_row(row + 6u, h1), dot_row(row + 9u, h1)));
}

fn second_layer(h1: Hidden) -> Hidden {
  return Hidden(second_four(0u, h1), second_four(1u, h1), second_four(2u, h1));
}

// The logit from the second layer's activations.
fn output(h2: Hidden) -> f32 {
  return weight4(B3).x + dot_row(W3, h2);
}
