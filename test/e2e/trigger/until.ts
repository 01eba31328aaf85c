export { until } from '../../../host/until';
