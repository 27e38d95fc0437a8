"""LangGraph state machines built from tools. One file per family; prompts beside them."""
