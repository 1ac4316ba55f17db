// Pass 1 as document 001 has it: one thread, the whole batch, an epoch a dispatch. The weights are
// read as a uniform, which a GPU's arithmetic takes as operands, and the gradient stays in
// registers: no memory is touched between the first sample and the last.
// uses: backprop, frame, fresh
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> w: array<vec4f, PARAMETER_ROWS>;  // weights before the epoch
@group(0) @binding(2) var<uniform> v: array<vec4f, PARAMETER_ROWS>;  // velocities before it
@group(0) @binding(3) var<uniform> data: array<vec4f, SAMPLES>;      // (x, y, label, 0)
@group(0) @binding(4) var<storage, read_write> w_next: array<vec4f, PARAMETER_ROWS>;
@group(0) @binding(5) var<storage, read_write> v_next: array<vec4f, PARAMETER_ROWS>;

// The gradient of four neurons of the first layer: by W1's x and y, and by b1.
struct First { x: vec4f, y: vec4f, bias: vec4f }

// And of four of the second: a column a neuron's W2 by h1.a, h1.b, h1.c; by b2; by their W3.
struct Second { a: mat4x4f, b: mat4x4f, c: mat4x4f, bias: vec4f, out: vec4f }

fn weight4(row: u32) -> vec4f { return w[row]; }

fn add_first(g: First, d1: vec4f, sample: vec4f) -> First {
  return First(g.x + d1 * sample.x, g.y + d1 * sample.y, g.bias + d1);
}

fn add_outer(g: mat4x4f, d2: vec4f, h1: vec4f) -> mat4x4f {
  return mat4x4f(g[0] + d2.x * h1, g[1] + d2.y * h1, g[2] + d2.z * h1, g[3] + d2.w * h1);
}

fn add_second(g: Second, d2: vec4f, h1: Hidden, out: vec4f) -> Second {
  return Second(add_outer(g.a, d2, h1.a), add_outer(g.b, d2, h1.b), add_outer(g.c, d2, h1.c),
                g.bias + d2, g.out + out);
}

fn descend(row: u32, gradient: vec4f) {
  let step = MOMENTUM * v[row] - (LEARNING_RATE / f32(SAMPLES)) * gradient;
  v_next[row] = step;
  w_next[row] = w[row] + step;
}

fn descend_first(quad: u32, g: First) {
  descend(2u * quad, vec4f(g.x.x, g.y.x, g.x.y, g.y.y));
  descend(2u * quad + 1u, vec4f(g.x.z, g.y.z, g.x.w, g.y.w));
  descend(B1 + quad, g.bias);
}

fn descend_second(quad: u32, g: Second) {
  for (var j = 0u; j < 4u; j++) {
    let row = W2 + 12u * quad + 3u * j;
    descend(row, g.a[j]);
    descend(row + 1u, g.b[j]);
    descend(row + 2u, g.c[j]);
  }
  descend(B2 + quad, g.bias);
  descend(W3 + quad, g.out);
}

@compute @workgroup_size(1)
fn train_single() {
  if (frame.restart != 0u) {
    for (var row = 0u; row < PARAMETER_ROWS; row++) {
      w_next[row] = restarted4(row, frame.key_base, frame.epochs);
      v_next[row] = vec4f();
    }
    return;
  }
  var first = array<First, 3>();
  var second = array<Second, 3>();
  var error = 0.0;
  for (var s = 0u; s < SAMPLES; s++) {
    let sample = data[s];
    let d = deltas(sample);
    first[0] = add_first(first[0], d.d1.a, sample);
    first[1] = add_first(first[1], d.d1.b, sample);
    first[2] = add_first(first[2], d.d1.c, sample);
    second[0] = add_second(second[0], d.d2.a, d.h1, d.out.a);
    second[1] = add_second(second[1], d.d2.b, d.h1, d.out.b);
    second[2] = add_second(second[2], d.d2.c, d.h1, d.out.c);
    error += d.error;
  }
  descend_first(0u, first[0]);
  descend_first(1u, first[1]);
  descend_first(2u, first[2]);
  descend_second(0u, second[0]);
  descend_second(1u, second[1]);
  descend_second(2u, second[2]);
  descend(B3, vec4f(error, 0.0, 0.0, 0.0));
  w_next[B3].y = w[B3].y + 1.0;  // the epoch count, which has no gradient
}
