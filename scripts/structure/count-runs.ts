/** Loaded into a server before its program: says on request which files ran a function since the last request. */
import { type Profiler, Session } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    process.send!(taken.result.filter(hasRun).map(script => script.url));
  });
});
// Only the channel would keep a server alive that has stopped.
process.channel?.unref();

const hasRun = (script: Profiler.ScriptCoverage): boolean =>
  script.functions.some(({ ranges }) => ranges[0]!.count > 0);
