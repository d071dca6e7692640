/** Creates an otherwise untrusted certificate with openssl. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes both files into the directory. `ca`: the certificate that a client must trust. */
export function makeCertificate(
  directory: string,
  name = 'localhost',
): { certificate: string; key: string; ca: string } {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
      ...['-keyout', key, '-out', certificate],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl makes no certificate: ${stderr}`);
  return { certificate, key, ca: readFileSync(certificate, 'utf8') };
}
