/** A failure inside a stream that began with 200; `cause` is what the provider reported, if it did. */
export class StreamFailure extends Error {}
