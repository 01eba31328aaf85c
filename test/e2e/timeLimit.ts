/** Of a test in a real n8n: generous, since a busy machine is no reason to give up. */
const isNightly = expect.getState().testPath?.includes('nightly') ?? false;
jest.setTimeout(isNightly ? 900_000 : 180_000);
