/**
 * Node's own HTTP. An import of it would look at all that it exports, and so load Node's fetch, which takes 16 MB of
 * memory and a tenth of a start; most kernels never need that.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
