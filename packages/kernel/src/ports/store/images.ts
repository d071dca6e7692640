/** Images that came with a chat, or were generated in it. */
export interface ImageRecord {
  id: string;
  /** The chat that it came with, which may be gone. */
  chat_id: string;
  media_type: string;
  created_at: string;
}

export interface ImageStore {
  /** Throws where the chat is gone or the image exists; then nothing of the new one stays. */
  save(image: ImageRecord, bytes: Uint8Array): Promise<void>;
  get(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined>;
}
