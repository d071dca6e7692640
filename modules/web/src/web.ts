/** The module: what a model may do on the web. */
import { defineModule, type ModuleDefinition } from '@chat-kernel/module-sdk';
import { fetchTool } from './fetch-tool.ts';
import { INTERNET, type Internet } from './net/destination.ts';
import { brave } from './search/brave.ts';
import { searxng } from './search/searxng.ts';
import { searchTool } from './search-tool.ts';
import type { WebSettings } from './settings.ts';

/** Tests, whose hosts are all on this machine and whose pages are hostile, bring their own. */
interface WebParts {
  internet?: Internet;
  /** The longest time that the reading of a page may take. */
  read_secs?: number;
}

/** Without an engine there is no tool to search. */
export function web(
  settings: WebSettings,
  { internet = INTERNET, read_secs = 20 }: WebParts = {},
): ModuleDefinition {
  const { allow } = settings;
  const engine = settings.searxng ? searxng(settings.searxng.url) : settings.brave && brave(settings.brave);
  return defineModule({
    name: 'web',
    version: '0.1.0',
    about: engine ? 'searches the web and reads its pages' : 'reads pages of the web',
    icon: '🌐',
    tools: {
      fetch: fetchTool({ allow, internet, read_secs }),
      ...(engine && { search: searchTool(engine) }),
    },
  });
}
