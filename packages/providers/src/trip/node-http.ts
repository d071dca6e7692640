/**
 * Loads Node's own HTTP. An import would access all of its exports, and so load Node's fetch. That takes 16 MB of
 * memory and a tenth of the start time, and most kernels never need it.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
