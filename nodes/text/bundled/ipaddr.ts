/** `ipaddr.js`, which the build bundles in place of the import. */
export { default as ipaddr } from 'ipaddr.js';
