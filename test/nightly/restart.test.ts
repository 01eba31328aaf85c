import { goesOnAfter } from '../e2e/restart/restart';

describe('stop', () => goesOnAfter('stop')); // 'kill' is in test/e2e
