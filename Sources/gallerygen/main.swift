print("gallerygen")
