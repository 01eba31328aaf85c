/** Of a test in a real n8n: generous, since a busy machine is no reason to give up. */
const takesLong = process.env.THOROUGH ?? expect.getState().testPath?.includes('nightly');
jest.setTimeout(takesLong ? 900_000 : 600_000);
