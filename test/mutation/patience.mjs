/**
 * How long a mutant may stay unfound, in ms of the tests' usual time; then it counts as survived. The
 * score may be higher than told, never lower: `PATIENCE=300` (seconds) is enough for all tests.
 */
export const patienceMs = Number(process.env.PATIENCE ?? 20) * 1000;
