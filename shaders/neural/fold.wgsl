// Before pass 4: folds constants of tanh and logistic function into the weights, once a frame
// instead of once a pixel. A thread a neuron; the thread after them folds the output.
// uses: activation, folded, mlp
@group(0) @binding(0) var<uniform> w: array<vec4f, PARAMETER_ROWS>;
@group(0) @binding(1) var<storage, read_write> folded: array<vec4f, FOLDED_ROWS>;

const C = 2.8853900817779268;  // 2 log2(e)
const NEURONS = 12u;

fn weight4(row: u32) -> vec4f { return w[row]; }

fn sum_of_rows(row: u32) -> f32 {
  return dot(w[row] + w[row + 1u] + w[row + 2u], vec4f(1.0));
}

fn fold_first(j: u32) {
  let row = w[j / 2u];
  let weights = C * select(row.xy, row.zw, j % 2u == 1u);
  let pixel = 2.0 / f32(HEIGHT);
  let step = power_of_two(vec4f(weights.x * pixel)).x;
  folded[j] = vec4f(weights, C * w[B1 + j / 4u][j % 4u], step);
}

fn fold_second(j: u32) {
  let row = W2 + 3u * j;
  for (var i = 0u; i < 3u; i++) { folded[FOLDED_W2 + 3u * j + i] = -2.0 * C * w[row + i]; }
  folded[FOLDED_B2 + j / 4u][j % 4u] = C * (w[B2 + j / 4u][j % 4u] + sum_of_rows(row));
}

fn fold_output() {
  for (var i = 0u; i < 3u; i++) { folded[FOLDED_W3 + i] = C * w[W3 + i]; }
  folded[FOLDED_B3] = vec4f(-0.5 * C * (w[B3].x + sum_of_rows(W3)));
}

@compute @workgroup_size(16)
fn fold(@builtin(local_invocation_index) thread: u32) {
  if (thread < NEURONS) {
    fold_first(thread);
    fold_second(thread);
  } else if (thread == NEURONS) {
    fold_output();
  }
}
