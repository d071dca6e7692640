/** Programs and servers that extend the kernel: modules, and third-party tool servers. */
import { z } from 'zod';
import { path } from './path.ts';
import { secret } from './secret.ts';

/** The modules of the folder `modules/`. */
const SHIPPED_MODULES = ['mail', 'telegram', 'web'] as const;
export type ShippedModule = (typeof SHIPPED_MODULES)[number];

export const ModuleSettings = z.strictObject({
  socket: path(z.string()).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), secret(z.string())).optional(),
});
export type ModuleSettings = z.infer<typeof ModuleSettings>;

export const ModulesSection = z
  .strictObject({
    socket_dir: path(z.string())
      .nullable()
      .default(null)
      .describe('Null = modules in data_dir. Nobody else may be able to write there.'),
    shipped: z
      .array(z.enum(SHIPPED_MODULES))
      .default([])
      .describe(
        'Modules that come with the kernel and are switched on. What they need to know stands in modules/NAME.yaml in data_dir.',
      ),
    servers: z
      .record(z.string(), ModuleSettings)
      .default({})
      .describe('Modules that are approved by being named here.'),
  })
  .prefault({});

export const McpServerSettings = z.strictObject({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), secret(z.string())).optional(),
  cwd: path(z.string())
    .optional()
    .describe('Working directory of the program; default: one of its own in data_dir.'),
  url: z.url().optional(),
  headers: z.record(z.string(), secret(z.string())).optional(),
  oauth: z
    .strictObject({
      client_id: z
        .string()
        .min(1)
        .optional()
        .describe('Of this kernel, where the authorization server does not register it by itself.'),
      client_secret: secret(z.string().min(1)).optional(),
      issuer: z
        .url()
        .optional()
        .describe('The one authorization server that client_id and client_secret are for.'),
      allow_private: z
        .boolean()
        .default(false)
        .describe('Sign-ins may lead the kernel to this machine and to private networks.'),
    })
    .optional()
    .describe('How the owner signs in to a server that wants it.'),
});
export type McpServerSettings = z.infer<typeof McpServerSettings>;

export const McpSection = z
  .strictObject({
    servers: z.record(z.string(), McpServerSettings).default({}).describe('Third-party tool servers.'),
  })
  .prefault({});
