/** Defines the settings of the HTTP server. */
import { z } from 'zod';

export const ServerSection = z
  .strictObject({
    host: z.string().default('127.0.0.1').describe('Address to listen on.'),
    port: z.int().min(0).max(65535).default(8787).describe('Port to listen on. 0 = any free port.'),
    public_url: z.url().nullable().default(null).describe('Public URL of the kernel.'),
    advertise_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe(
        'URL at which other kernels on the same database reach this one. Null = the database is not shared.',
      ),
    name: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('Name of this machine among those kernels. Null = the host name.'),
    allowed_hosts: z.array(z.string()).default([]).describe('Accepted host names, in addition to loopback.'),
    cors_origins: z.array(z.string()).default([]).describe('Web origins that may use the API.'),
    behind_proxy: z
      .boolean()
      .default(false)
      .describe(
        'A proxy guards the kernel: allows listening on addresses other than loopback, and all users of this machine to connect.',
      ),
    allowed_users: z
      .array(z.string().min(1).max(100))
      .max(100)
      .default([])
      .describe(
        'Other users of this machine that may connect over loopback, besides the user of the kernel and root. Linux only.',
      ),
    shutdown_grace_secs: z
      .number()
      .min(0)
      .default(10)
      .describe('Time for running turns to finish after SIGTERM.'),
  })
  .prefault({});
