// What the host says of a frame: the uniform struct, 4-byte scalars only.
struct Frame {
  band_phase: f32,   // clock × 0.25 modulo 1: turns that the confidence bands have flowed
  pulse_phase: f32,  // clock × 2.4 modulo 2π: radians of the seam's pulse
  shape: u32,        // 0 spiral, 1 rings, 2 xor
  restart: u32,      // 1: publish a fresh network instead of the one just trained
  key_base: u32,     // where a fresh network's draws begin
  epochs: u32,       // epochs that the frame trains, over all its dispatches
}
