// The same epoch on one workgroup: a thread a sample goes forward and back and keeps what the
// gradient is made of; then a thread a row of four parameters adds that up in sample order. Every
// row is a sum of a scalar times a vector over the samples, so that all its threads run one loop.
// Half the samples at a time: all would not fit the 16 KiB that WebGPU grants a workgroup.
// Up to EPOCHS_PER_DISPATCH epochs a dispatch; row 51 of `w` counts in z those done in the frame.
// uses: backprop, frame, fresh
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> w: array<vec4f, PARAMETER_ROWS>;  // weights before
@group(0) @binding(2) var<storage, read> v: array<vec4f, PARAMETER_ROWS>;  // velocities before
@group(0) @binding(3) var<storage, read> data: array<vec4f, SAMPLES>;      // (x, y, label, 0)
@group(0) @binding(4) var<storage, read_write> w_next: array<vec4f, PARAMETER_ROWS>;
@group(0) @binding(5) var<storage, read_write> v_next: array<vec4f, PARAMETER_ROWS>;

const HALF = SAMPLES / 2u;  // a multiple of five: see add_half

// Vectors kept of each sample, a row of HALF for each of: h1, d2, d1, W3's (three each), b3's.
const H1_ROW = 0u;
const D2_ROW = 3u;
const D1_ROW = 6u;
const OUT_ROW = 9u;
const ERROR_ROW = 12u;
// Scalars kept: d2 neuron by neuron, x, y, 1.
const X_ROW = 12u;
const ONE_ROW = 14u;

var<workgroup> weights: array<vec4f, PARAMETER_ROWS>;
var<workgroup> gradient: array<vec4f, PARAMETER_ROWS>;
var<workgroup> vectors: array<vec4f, 13u * HALF>;
var<workgroup> scalars: array<f32, 15u * HALF>;

fn weight4(row: u32) -> vec4f { return weights[row]; }

fn keep_vectors(row: u32, slot: u32, values: Hidden) {
  vectors[row * HALF + slot] = values.a;
  vectors[(row + 1u) * HALF + slot] = values.b;
  vectors[(row + 2u) * HALF + slot] = values.c;
}

fn keep_scalars(row: u32, slot: u32, values: vec4f) {
  scalars[row * HALF + slot] = values.x;
  scalars[(row + 1u) * HALF + slot] = values.y;
  scalars[(row + 2u) * HALF + slot] = values.z;
  scalars[(row + 3u) * HALF + slot] = values.w;
}

fn keep(slot: u32, d: Deltas, sample: vec4f) {
  keep_vectors(H1_ROW, slot, d.h1);
  keep_vectors(D2_ROW, slot, d.d2);
  keep_vectors(D1_ROW, slot, d.d1);
  keep_vectors(OUT_ROW, slot, d.out);
  vectors[ERROR_ROW * HALF + slot] = vec4f(d.error, 0.0, 0.0, 0.0);
  keep_scalars(0u, slot, d.d2.a);
  keep_scalars(4u, slot, d.d2.b);
  keep_scalars(8u, slot, d.d2.c);
  scalars[X_ROW * HALF + slot] = sample.x;
  scalars[(X_ROW + 1u) * HALF + slot] = sample.y;
  scalars[ONE_ROW * HALF + slot] = 1.0;
}

// The (scalar row, vector row) whose products parameter row `row` adds up. Rows 0 to 5 take W1 by
// input and neurons here: (x, y) of neurons 0 to 3, of 4 to 7, of 8 to 11.
fn factors(row: u32) -> vec2u {
  if (row < B1) { return vec2u(X_ROW + row % 2u, D1_ROW + row / 2u); }
  if (row < W2) { return vec2u(ONE_ROW, D1_ROW + row - B1); }
  if (row < B2) { return vec2u((row - W2) / 3u, H1_ROW + (row - W2) % 3u); }
  if (row < W3) { return vec2u(ONE_ROW, D2_ROW + row - B2); }
  if (row < B3) { return vec2u(ONE_ROW, OUT_ROW + row - W3); }
  return vec2u(ONE_ROW, ERROR_ROW);
}

fn add_half(factor: vec2u, sum: vec4f) -> vec4f {
  let scalar = factor.x * HALF;
  let vector = factor.y * HALF;
  var total = sum;
  // Five at a time, written out: so their loads are under way together, which takes an H200 a
  // third of the time of a plain loop; through a small array it would be slower than that.
  for (var s = 0u; s < HALF; s += 5u) {
    let a = scalar + s;
    let b = vector + s;
    let a0 = scalars[a];
    let b0 = vectors[b];
    let a1 = scalars[a + 1u];
    let b1 = vectors[b + 1u];
    let a2 = scalars[a + 2u];
    let b2 = vectors[b + 2u];
    let a3 = scalars[a + 3u];
    let b3 = vectors[b + 3u];
    let a4 = scalars[a + 4u];
    let b4 = vectors[b + 4u];
    total += a0 * b0;
    total += a1 * b1;
    total += a2 * b2;
    total += a3 * b3;
    total += a4 * b4;
  }
  return total;
}

// Row `row` of the gradient in the order of the parameters: W1's neurons side by side again.
fn gradient4(row: u32) -> vec4f {
  if (row >= B1) { return gradient[row]; }
  let by_x = gradient[row - row % 2u];
  let by_y = gradient[row - row % 2u + 1u];
  return select(vec4f(by_x.x, by_y.x, by_x.y, by_y.y), vec4f(by_x.z, by_y.z, by_x.w, by_y.w),
                row % 2u == 1u);
}

@compute @workgroup_size(128)
fn train_parallel(@builtin(local_invocation_index) thread: u32) {
  let has_row = thread < PARAMETER_ROWS;
  let has_sample = thread < SAMPLES;
  let fresh = frame.restart != 0u;
  let done = u32(w[B3].z);
  let epochs = select(min(EPOCHS_PER_DISPATCH, frame.epochs - done), 0u, fresh);
  var velocity = vec4f();
  var sample = vec4f();
  if (has_row) {
    weights[thread] = w[thread];
    velocity = v[thread];
  }
  if (has_sample) { sample = data[thread]; }
  let factor = factors(thread);
  workgroupBarrier();

  for (var epoch = 0u; epoch < epochs; epoch++) {
    var d = Deltas();
    if (has_sample) { d = deltas(sample); }
    var sum = vec4f();
    for (var start = 0u; start < SAMPLES; start += HALF) {
      if (thread >= start && thread < start + HALF) { keep(thread - start, d, sample); }
      workgroupBarrier();
      if (has_row) { sum = add_half(factor, sum); }
      workgroupBarrier();
    }
    if (has_row) { gradient[thread] = sum; }
    workgroupBarrier();
    if (has_row) {
      velocity = MOMENTUM * velocity - (LEARNING_RATE / f32(SAMPLES)) * gradient4(thread);
      weights[thread] += velocity;
    }
    workgroupBarrier();
  }

  if (!has_row) { return; }
  var result = weights[thread];
  if (thread == B3) {
    result.y += f32(epochs);
    result.z = select(f32(done + epochs), 0.0, done + epochs == frame.epochs);
  }
  w_next[thread] = select(result, restarted4(thread, frame.key_base, frame.epochs), fresh);
  v_next[thread] = select(velocity, vec4f(), fresh);
}
