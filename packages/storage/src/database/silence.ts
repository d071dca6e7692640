/** A server that neither answers nor breaks its connections, as behind a cut cable: nothing else notices that for hours. */

const ASK_MS = 2000;
/** Looks in a row at which the first question is still open: a process that was stopped itself has seen only one. */
const LOOKS = 5;

/**
 * Asks now and then, and calls back once when there has been no answer for 10 s. The returned function ends it.
 * @param ask rejects where the connection broke, which somebody else takes care of
 */
export function watchSilence(ask: () => Promise<unknown>, silent: () => void): () => void {
  let open = 0;
  const answered = () => {
    open = 0;
  };
  const timer = setInterval(() => {
    open++;
    if (open === 1) ask().then(answered, () => {});
    if (open <= LOOKS) return;
    clearInterval(timer);
    silent();
  }, ASK_MS).unref();
  return () => clearInterval(timer);
}
