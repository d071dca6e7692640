#!/usr/bin/env bash
# Makes a chat, sends a message whose turn calls a tool, and prints the history. Needs a running kernel and curl.
set -euo pipefail
kernel=${1:-http://127.0.0.1:8787}
json='Content-Type: application/json'

echo 'Buy milk.' > /tmp/chat-kernel-note.txt
chat=$(curl -sf "$kernel/v1/chats" -H "$json" -d '{"title": "First"}' | grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4)

echo '--- the turn'
curl -sfN "$kernel/v1/chats/$chat/messages" -H "$json" \
  -d '{"text": "read /tmp/chat-kernel-note.txt", "mute": ["text_delta", "item_started", "item_delta", "item_completed"]}' |
  grep '^data:'

echo '--- the history'
curl -sf "$kernel/v1/chats/$chat/items" | grep -oE '"(kind|status|text|output)":"[^"]*"'
