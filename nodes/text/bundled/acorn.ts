/** `acorn`, a JavaScript parser, which the build bundles. */
export { parse, type AnyNode, type Pattern } from 'acorn';
