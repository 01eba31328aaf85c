/** Milliseconds since 1970, with fractions, never running backwards. */
export const now = () => performance.timeOrigin + performance.now();
