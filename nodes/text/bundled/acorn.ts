/** `acorn`, a JavaScript parser, which the build bundles. */
export { parse, type AnyNode } from 'acorn';
