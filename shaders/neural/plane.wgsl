// From pixels to the plane of the points: y spans [-1, 1] upwards, x as much as the aspect gives.

fn plane_x(column: f32) -> f32 {
  return ((column + 0.5) / f32(WIDTH) - 0.5) * 2.0 * (f32(WIDTH) / f32(HEIGHT));
}

fn plane_y(row: f32) -> f32 {
  return (0.5 - (row + 0.5) / f32(HEIGHT)) * 2.0;
}
