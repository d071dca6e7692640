/** Provides Node's own HTTP. It is not imported, because that would also load Node's fetch (docs/decisions/0034). */

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
