// Pass 1: a few epochs of full-batch momentum SGD on one thread. Exact backpropagation of the
// cross-entropy; the weights live in workgroup memory, which compiles fast and is indexed freely.
// Loop iterations of its one thread: EPOCHS_PER_FRAME × (SAMPLES + 2 × PARAMETER_ROWS) + 156.
// uses: activation, frame, fresh, mlp
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> w: array<vec4f, PARAMETER_ROWS>;     // weights before the frame
@group(0) @binding(2) var<uniform> v: array<vec4f, PARAMETER_ROWS>;     // velocities before the frame
@group(0) @binding(3) var<uniform> data: array<vec4f, SAMPLES>;         // (x, y, label, 0)
@group(0) @binding(4) var<storage, read_write> w_next: array<vec4f, PARAMETER_ROWS>;
@group(0) @binding(5) var<storage, read_write> v_next: array<vec4f, PARAMETER_ROWS>;

var<workgroup> weights: array<vec4f, PARAMETER_ROWS>;
var<workgroup> velocity: array<vec4f, PARAMETER_ROWS>;
var<workgroup> gradient: array<vec4f, PARAMETER_ROWS>;

fn weight4(row: u32) -> vec4f { return weights[row]; }

// Adds neuron `j`'s gradient row of W2, and returns what it sends back to the first layer.
fn back_row(j: u32, d2: f32, h1: Hidden, back: Hidden) -> Hidden {
  let row = W2 + 3u * j;
  gradient[row] += d2 * h1.a;
  gradient[row + 1u] += d2 * h1.b;
  gradient[row + 2u] += d2 * h1.c;
  return Hidden(back.a + d2 * weights[row], back.b + d2 * weights[row + 1u],
                back.c + d2 * weights[row + 2u]);
}

fn back_four(quad: u32, d2: vec4f, h1: Hidden, back: Hidden) -> Hidden {
  let j = 4u * quad;
  gradient[B2 + quad] += d2;
  let back_x = back_row(j, d2.x, h1, back);
  let back_y = back_row(j + 1u, d2.y, h1, back_x);
  let back_z = back_row(j + 2u, d2.z, h1, back_y);
  return back_row(j + 3u, d2.w, h1, back_z);
}

fn back_first(quad: u32, d1: vec4f, point: vec2f) {
  gradient[B1 + quad] += d1;
  gradient[2u * quad] += d1.xxyy * point.xyxy;
  gradient[2u * quad + 1u] += d1.zzww * point.xyxy;
}

// Forward and backward for one sample; adds its gradient.
fn learn(sample: vec4f) {
  let h1 = first_layer(sample.xy);
  let h2 = second_layer(h1);
  let p = sigmoid(output(h2));

  let ds = p - sample.z;
  gradient[B3].x += ds;
  gradient[W3] += ds * h2.a;
  gradient[W3 + 1u] += ds * h2.b;
  gradient[W3 + 2u] += ds * h2.c;
  var back = Hidden();
  back = back_four(0u, ds * weights[W3] * (1.0 - h2.a * h2.a), h1, back);
  back = back_four(1u, ds * weights[W3 + 1u] * (1.0 - h2.b * h2.b), h1, back);
  back = back_four(2u, ds * weights[W3 + 2u] * (1.0 - h2.c * h2.c), h1, back);
  back_first(0u, back.a * (1.0 - h1.a * h1.a), sample.xy);
  back_first(1u, back.b * (1.0 - h1.b * h1.b), sample.xy);
  back_first(2u, back.c * (1.0 - h1.c * h1.c), sample.xy);
}

fn run_epoch() {
  for (var row = 0u; row < PARAMETER_ROWS; row++) { gradient[row] = vec4f(); }
  for (var s = 0u; s < SAMPLES; s++) { learn(data[s]); }
  let rate = LEARNING_RATE / f32(SAMPLES);
  for (var row = 0u; row < PARAMETER_ROWS; row++) {
    let step = MOMENTUM * velocity[row] - rate * gradient[row];
    velocity[row] = step;
    weights[row] += step;
  }
}

@compute @workgroup_size(1)
fn train() {
  let fresh = frame.restart != 0u;
  for (var row = 0u; row < PARAMETER_ROWS; row++) {
    weights[row] = select(w[row], fresh_weight4(row, frame.key_base), fresh);
    velocity[row] = select(v[row], vec4f(), fresh);
  }
  // A restart counts the epochs that it throws away, as document 001 does.
  if (!fresh) {
    for (var epoch = 0u; epoch < EPOCHS_PER_FRAME; epoch++) { run_epoch(); }
  }
  weights[B3].y += f32(EPOCHS_PER_FRAME);
  for (var row = 0u; row < PARAMETER_ROWS; row++) {
    w_next[row] = weights[row];
    v_next[row] = velocity[row];
  }
}
