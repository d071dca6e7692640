/** The HTTP server. */
import { z } from 'zod';

export const ServerSection = z
  .strictObject({
    host: z.string().default('127.0.0.1').describe('Address to listen on.'),
    port: z.int().min(0).max(65535).default(8787).describe('Port to listen on; 0 = a free one.'),
    public_url: z.url().nullable().default(null).describe('Address under which people reach the kernel.'),
    advertise_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe(
        'Address under which other kernels on the same database reach this one. Null = it shares with none.',
      ),
    name: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('Name of its machine among those kernels. Null = the name that the system has.'),
    allowed_hosts: z.array(z.string()).default([]).describe('Host names answered besides loopback ones.'),
    cors_origins: z.array(z.string()).default([]).describe('Origins whose pages may use the API.'),
    behind_proxy: z
      .boolean()
      .default(false)
      .describe('A guarding proxy stands in front: allows other hosts than loopback.'),
    shutdown_grace_secs: z
      .number()
      .min(0)
      .default(10)
      .describe('How long running turns may go on at SIGTERM.'),
  })
  .prefault({});
