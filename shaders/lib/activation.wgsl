// The squashing functions, safe for every argument. No kernel calls tanh itself.

// tanh. Some drivers return NaN for large |x|; beyond 15 the float32 result is 1 anyway.
fn squash(x: vec4f) -> vec4f {
  return tanh(clamp(x, vec4f(-15.0), vec4f(15.0)));
}

// The logistic function: a probability from a logit. exp overflows float32 past 88.
fn sigmoid(logit: f32) -> f32 {
  return 1.0 / (1.0 + exp(clamp(-logit, -80.0, 80.0)));
}

// 2^x, for x up to 100: beyond, a product with a few of its like would not be finite.
fn power_of_two(x: vec4f) -> vec4f {
  return exp2(min(x, vec4f(100.0)));
}
