import { goesOnAfter } from './restart/restart';

describe('kill', () => goesOnAfter('kill')); // 'stop' is in test/nightly
