/** The reason why a test file was not started: .ci/run gives each suite a time after which none starts. */
export const TOO_LATE = 'The time in which test files may begin is over.';
