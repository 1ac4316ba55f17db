// Start: the first network, with velocities and the epoch count at zero.
// uses: frame, fresh
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> w_next: array<vec4f, PARAMETER_ROWS>;  // weights
@group(0) @binding(2) var<storage, read_write> v_next: array<vec4f, PARAMETER_ROWS>;  // velocities

@compute @workgroup_size(64)
fn init(@builtin(global_invocation_id) thread: vec3u) {
  let row = thread.x;
  if (row >= PARAMETER_ROWS) { return; }
  w_next[row] = fresh_weight4(row, frame.key_base);
  v_next[row] = vec4f();
}
