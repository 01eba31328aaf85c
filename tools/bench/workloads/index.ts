import type { Workload } from '../workload';
import { audio } from './audio';
import { beside } from './beside';
import { deduplication } from './deduplication';
import { limiter } from './limiter';
import { longList } from './longList';
import { owners } from './owners';
import { sms } from './sms';
import { width } from './width';

/** The benchmarks, in the order of the page. */
export const workloads: Workload[] = [
	beside,
	sms,
	width,
	limiter,
	owners,
	audio,
	deduplication,
	longList,
];
