/** Defines stored images that were attached in a chat or generated in it. */
export interface ImageRecord {
  id: string;
  /** The chat of the image, which may be deleted. */
  chat_id: string;
  media_type: string;
  created_at: string;
}

export interface ImageStore {
  /** Stores an image. Throws and stores nothing if the chat is deleted or an image with this id exists. */
  save(image: ImageRecord, bytes: Uint8Array): Promise<void>;
  get(id: string): Promise<(ImageRecord & { bytes: Uint8Array }) | undefined>;
}
