# unit(<file without .c> <rooms...>)
