// Exact backpropagation of the cross-entropy for one sample (document 001's pass 1).
// uses: activation, mlp

// What a sample adds to the gradient is made of these: each weight's share is its delta times the
// activation that it weighs.
struct Deltas {
  h1: Hidden,    // the first layer's activations
  d2: Hidden,    // the loss's slope by the second layer's sums, before tanh
  d1: Hidden,    // and by the first layer's
  out: Hidden,   // and by W3
  error: f32,    // and by the logit: p - label
}

// Adds what neurons 4 quad to 4 quad + 3 of the second layer send back to the first.
fn send_back(quad: u32, d2: vec4f, back: Hidden) -> Hidden {
  let r = W2 + 12u * quad;
  return Hidden(
    back.a + d2.x * weight4(r) + d2.y * weight4(r + 3u) + d2.z * weight4(r + 6u)
           + d2.w * weight4(r + 9u),
    back.b + d2.x * weight4(r + 1u) + d2.y * weight4(r + 4u) + d2.z * weight4(r + 7u)
           + d2.w * weight4(r + 10u),
    back.c + d2.x * weight4(r + 2u) + d2.y * weight4(r + 5u) + d2.z * weight4(r + 8u)
           + d2.w * weight4(r + 11u));
}

// Forward and backward for a sample (x, y, label, 0).
fn deltas(sample: vec4f) -> Deltas {
  let h1 = first_layer(sample.xy);
  let h2 = second_layer(h1);
  let error = sigmoid(output(h2)) - sample.z;

  let out = Hidden(error * h2.a, error * h2.b, error * h2.c);
  let d2 = Hidden(error * weight4(W3) * (1.0 - h2.a * h2.a),
                  error * weight4(W3 + 1u) * (1.0 - h2.b * h2.b),
                  error * weight4(W3 + 2u) * (1.0 - h2.c * h2.c));
  let back = send_back(2u, d2.c, send_back(1u, d2.b, send_back(0u, d2.a, Hidden())));
  let d1 = Hidden(back.a * (1.0 - h1.a * h1.a), back.b * (1.0 - h1.b * h1.b),
                  back.c * (1.0 - h1.c * h1.c));
  return Deltas(h1, d2, d1, out, error);
}
