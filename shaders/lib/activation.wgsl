// The squashing functions, safe for every argument. No kernel calls tanh itself.

// tanh. Some drivers return NaN for large |x|; beyond 15 the float32 result is 1 anyway.
fn squash(x: vec4f) -> vec4f {
  return tanh(clamp(x, vec4f(-15.0), vec4f(15.0)));
}

// The logistic function: a probability from a logit. exp overflows float32 past 88.
fn sigmoid(logit: f32) -> f32 {
  return 1.0 / (1.0 + exp(clamp(-logit, -80.0, 80.0)));
}

// Exponents end here: beyond, a product of a few powers of two would not be finite.
const MOST_EXPONENT = 100.0;

fn power_of_two(x: vec4f) -> vec4f {
  return exp2(min(x, vec4f(MOST_EXPONENT)));
}
