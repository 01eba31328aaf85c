/** `ipaddr.js`, which the build bundles. */
export { default as ipaddr } from 'ipaddr.js';
