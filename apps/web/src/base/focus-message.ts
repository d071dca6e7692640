/** The id of the message box, for links and keys that lead to it. */
export const MESSAGE_ID = 'message';

/** Focuses the message box, if the page has one. */
export const focusMessage = (): void => document.getElementById(MESSAGE_ID)?.focus();
