// Pass 2: loss and accuracy over the batch after the step, and the epoch count. A thread a
// sample; then one thread adds them in sample order, so that two runs agree to the bit.
// uses: activation, mlp
@group(0) @binding(0) var<uniform> w: array<vec4f, PARAMETER_ROWS>;
@group(0) @binding(1) var<uniform> data: array<vec4f, SAMPLES>;   // (x, y, label, 0)
@group(0) @binding(2) var<storage, read_write> stats: vec4f;      // loss, accuracy, epoch, 0

const THREADS = 128u;
var<workgroup> results: array<vec2f, SAMPLES>;  // (loss, 1 if right) of each sample

fn weight4(row: u32) -> vec4f { return w[row]; }

fn judge(sample: vec4f) -> vec2f {
  let logit = output(second_layer(first_layer(sample.xy)));
  let p = clamp(sigmoid(logit), 0.000001, 0.999999);
  let loss = -(sample.z * log(p) + (1.0 - sample.z) * log(1.0 - p));
  return vec2f(loss, select(0.0, 1.0, (p - 0.5) * (sample.z - 0.5) > 0.0));
}

@compute @workgroup_size(128)
fn evaluate(@builtin(local_invocation_index) thread: u32) {
  for (var s = thread; s < SAMPLES; s += THREADS) { results[s] = judge(data[s]); }
  workgroupBarrier();
  if (thread == 0u) {
    var sum = vec2f();
    for (var s = 0u; s < SAMPLES; s++) { sum += results[s]; }
    stats = vec4f(sum / f32(SAMPLES), w[B3].y, 0.0);
  }
}
