/** Tests the list of modules of a kernel without modules. */
import { expect, test } from 'vitest';
import { kernelOf } from '../harness/shared-kernel.ts';

test('[MOD-2] returns an empty list without modules, and rejects approvals and revocations', async () => {
  const { api } = await kernelOf();
  expect(await api.get('/v1/modules')).toMatchObject({ status: 200, body: { modules: [] } });
  for (const deed of ['approve', 'revoke']) {
    const answer = await api.post(`/v1/modules/mail/${deed}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(answer.body.detail).toContain('mail');
  }
});
