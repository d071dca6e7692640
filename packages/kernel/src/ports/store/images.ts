/** Images that came with a chat, or were generated in it. */
export interface ImageRecord {
  id: string;
  /** The chat that the image came with, which may be gone. */
  chat_id: string;
  media_type: string;
  created_at: string;
}

export interface ImageStore {
  /** Stores an image. Throws where the chat is gone or an image of this id exists; then nothing is stored. */
  save(image: ImageRecord, bytes: Uint8Array): Promise<void>;
  get(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined>;
}
