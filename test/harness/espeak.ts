/** Creates real speech: Debian's espeak-ng speaks a text into a WAV file. */
import { execFileSync, spawnSync } from 'node:child_process';

/** True if espeak-ng is missing and the environment does not require it. */
export const noEspeak = spawnSync('espeak-ng', ['--version']).error !== undefined && !process.env.REQUIRE_ALL;

/** @returns the bytes of a WAV: 22.05 kHz, 16 bits, one channel */
export const spokenWav = (text: string): Buffer =>
  execFileSync('espeak-ng', ['-v', 'en', '--stdout', text], { maxBuffer: 64 * 1024 * 1024 });
