/** Defines skills: folders of instructions for kinds of work, which models open when they need them (SKILL-1). */
import { defineFeature } from '../feature.ts';
import { ChatSkills } from './chat-skills.ts';
import { routes } from './routes.ts';
import { FolderSkills } from './skill-reader.ts';
import { skillTool } from './tool.ts';

export const skills = defineFeature({
  name: 'skills',
  stores: () => ({}),
  open({ store }, _, { skillFolders: places, paths }) {
    const service = new ChatSkills(new FolderSkills({ places, paths }), store);
    return {
      service,
      name: 'skills',
      promptSection: turn => service.promptSection(turn),
      chatDeleted: async id => service.forget(id),
    };
  },
  tools: service => [skillTool(service)],
  groups: [{ name: 'skills', about: 'opens instructions for kinds of work' }],
  routes,
  documentedAfter: 'listTools',
});
