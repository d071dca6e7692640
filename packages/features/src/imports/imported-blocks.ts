/** Converts the blocks of an import to stored blocks, and collects their images. */
import { fromImport, type ImageRecord, type StoredBlock, sniffImage } from '@chat-kernel/kernel';
import { COMPACTION_MARKER, type ImportBlock, imageMarker } from '@chat-kernel/protocol';
import type { NewImage } from '@chat-kernel/storage';
import { v4 as uuidv4 } from 'uuid';

interface BlockPlace extends Pick<ImageRecord, 'chat_id' | 'created_at'> {
  role: 'user' | 'assistant';
  /** The ids of all messages of the list. */
  ids: readonly string[];
  pointer: string;
  /** The program from which the chat comes. */
  source: string;
}
type Image = Extract<ImportBlock, { type: 'image' }>;

export class ImportedBlocks {
  readonly images: NewImage[] = [];

  /** @throws KernelError invalid_value if an image is not valid */
  stored(block: ImportBlock, place: BlockPlace): StoredBlock {
    const stored = this.#convert(block, place);
    // A later fork or rewind may keep any of the blocks, so each names the source.
    return { ...stored, internal: { ...stored.internal, outside: [fromImport(place.source)] } };
  }

  #convert(block: ImportBlock, place: BlockPlace): StoredBlock {
    switch (block.type) {
      case 'text':
      case 'thinking': {
        const { status, ...said } = block;
        return status === undefined ? said : { ...said, internal: { status } };
      }
      case 'tool_result': {
        const { aborted, ...result } = block;
        return aborted ? { ...result, internal: { synthetic: true } } : result;
      }
      case 'image':
        return this.#image(block, place);
      case 'note':
        return { type: 'text', text: block.text, internal: { note: block.note } };
      case 'fold': {
        const compaction = { text: block.text, upto_message: place.ids[block.upto] as string };
        return { type: 'text', text: COMPACTION_MARKER, internal: { compaction } };
      }
      case 'tool_use':
      case 'quote':
        return block;
      default:
        return block satisfies never;
    }
  }

  #image(image: Image, { chat_id, created_at, role, pointer }: BlockPlace): StoredBlock {
    const { media_type } = image;
    const bytes = sniffImage(image, pointer);
    const id = uuidv4();
    this.images.push({ record: { id, chat_id, media_type, created_at }, bytes });
    if (role === 'user') return { type: 'image', media_type, data: '', internal: { image_id: id } };
    const url = `/images/${id}`;
    return {
      type: 'text',
      text: imageMarker(id, url),
      internal: { drawn: { image_id: id, media_type, url } },
    };
  }
}
