import type { Workload } from '../workload';
import { audio } from './audio';
import { deduplication } from './deduplication';
import { deliveries } from './deliveries';
import { limiter } from './limiter';
import { lookup } from './lookup';
import { share } from './share';
import { sms } from './sms';
import { status } from './status';

/** In the order of the page. */
export const workloads: Workload[] = [
	...sms,
	limiter,
	audio,
	deduplication,
	status,
	lookup,
	deliveries,
	share,
];
