import type { Workload } from '../workload';
import { audio } from './audio';
import { beside } from './beside';
import { deduplication } from './deduplication';
import { limiter } from './limiter';
import { smsWorkload } from './sms';
import { width } from './width';

/** The benchmarks, in the order of the page. */
export const workloads: Workload[] = [beside, smsWorkload, width, limiter, audio, deduplication];
