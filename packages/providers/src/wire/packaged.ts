/**
 * Adapts provider packages of the AI SDK. For the APIs that the kernel knows, a package writes the request; the kernel
 * sends it and reads the answer, because a package ends with the first event that it does not expect.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type AnswerReader, StreamedAnswer } from '../answers/answer.ts';
import { AnswerToolReader, hasAnswerTool } from '../answers/answer-tool.ts';
import type { Fetch, TripConnection } from '../trip/connection.ts';
import { fetchWithQuery } from './endpoint.ts';
import type { ProviderAccess } from './kind.ts';
import type { WireModel } from './wire.ts';

/** The settings that all packages have. */
interface PackageSettings {
  baseURL: string;
  apiKey: string;
  headers: Record<string, string> | undefined;
  fetch: Fetch;
}
type CreateModel = (settings: PackageSettings) => LanguageModelV4;

/**
 * Creates a model whose requests a package writes.
 * @param create creates the model of the package
 * @param createReader creates the reader of an answer
 */
export function writtenByPackage(
  create: CreateModel,
  createReader: () => AnswerReader,
  connection: TripConnection,
  access: ProviderAccess & { base_url: string },
): WireModel {
  return {
    async open(request) {
      const { url, headers, body } = await writeRequest(create, access, request);
      const reader = createReader();
      const answer = new StreamedAnswer(
        request.responseFormat && hasAnswerTool(body) ? new AnswerToolReader(reader) : reader,
      );
      await connection.post(url, headers, body, answer);
      return answer;
    },
  };
}

interface WrittenRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

async function writeRequest(
  create: CreateModel,
  access: ProviderAccess & { base_url: string },
  request: LanguageModelV4CallOptions,
): Promise<WrittenRequest> {
  let written: WrittenRequest | undefined;
  const take: Fetch = (url, init) => {
    written = {
      url: String(url),
      headers: init?.headers as Record<string, string>,
      body: init?.body as string,
    };
    return Promise.reject(new Error('The request is written.'));
  };
  try {
    const { base_url: baseURL, api_key: apiKey = '', headers } = access;
    await create({ baseURL, apiKey, headers, fetch: fetchWithQuery(access, take) }).doStream(request);
  } catch (error) {
    // Before the request is written, the error is about the request.
    if (!written) throw error;
  }
  if (!written) throw new Error('The package wrote no request.');
  return written;
}

/** Adapts a model of a package whose API the kernel does not know. It uses Node's fetch. */
export function packaged(model: LanguageModelV4): WireModel {
  return {
    async open(request) {
      const reader = (await model.doStream(request)).stream.getReader();
      return {
        async read() {
          const { done, value } = await reader.read();
          return done ? null : [value];
        },
      };
    },
  };
}
