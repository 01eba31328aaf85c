export { default } from '../testing/eslint.config.mjs';
