/** Node's own HTTP. Not imported: that would load Node's fetch too (docs/decisions/0034). */

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
