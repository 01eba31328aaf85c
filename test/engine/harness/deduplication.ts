import './instance';
import { DataDeduplicationService } from 'n8n-core';

import { DeduplicationStore } from '../../../tools/shared/deduplicationStore';

/** The store of this test file; every run uses it. */
export const deduplication = new DeduplicationStore();
void DataDeduplicationService.init(deduplication);
