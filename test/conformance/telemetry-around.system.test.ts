/** Tests that disabled telemetry costs nothing, and that the metrics in the dashboard exist. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PATIENT } from '../harness/patient.ts';
import { startKernelProcess } from '../harness/process.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

/** Prints to stderr which parts of OpenTelemetry are loaded. */
const TELLS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      if (name.startsWith('@opentelemetry/')) process.stderr.write('loads ' + name + '\\n');
      return next(name, context);
    },
  });`)}`;
const DASHBOARD = new URL('../../deploy/grafana-dashboard.json', import.meta.url);

test('[API-2] exports each metric that the dashboard uses', async () => {
  const { api } = await kernelOf();
  const told = `${(await api.raw('/metrics', { method: 'GET' })).body}`;
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:chat_kernel|process)_[a-z_]+/g) ?? []),
  );
  expect(asked.length).toBeGreaterThan(10);
  const names = asked.map(name => name.replace(/_bucket$/, ''));
  expect(names.filter(name => !told.includes(`# TYPE ${name} `))).toEqual([]);
});

test('[API-2] loads OpenTelemetry only if telemetry.otlp_url is set', PATIENT, async () => {
  const loaded = async (settings: object) => {
    const upstream = await startUpstream();
    const kernel = await startKernelProcess({
      upstream,
      settings,
      // A bundle resolves no package names at run time.
      checkout: fileURLToPath(new URL('../../', import.meta.url)),
      environment: { NODE_OPTIONS: `--import ${TELLS}` },
    });
    upstream.next(says('Hello.'));
    const chat = await kernel.client.createChat({});
    await (await kernel.client.begin(chat.id, { text: 'Hi.' })).until('done');
    const log = kernel.log();
    await kernel.stop();
    await upstream.close();
    return log.includes('loads @opentelemetry/');
  };
  expect(await loaded({ telemetry: { otlp_url: 'http://127.0.0.1:9' } })).toBe(true);
  expect(await loaded({})).toBe(false);
});
